import { Type, type Static } from 'typebox';
import { EMAIL } from './guestInput.mts';

const text = Type.String();

/** What the sandbox checks in the body of a create (Create body). */
export const CreateCollectionRequest = Type.Object({
	templateId: Type.String({ pattern: '\\S' }),
	childAccountId: Type.Optional(text),
	minimumParticipants: Type.Optional(Type.Integer({ minimum: 0 })),
	maximumParticipants: Type.Optional(Type.Integer({ minimum: 1 })),
	participantList: Type.Optional(
		Type.Array(
			Type.Object({
				email: Type.Optional(Type.String(EMAIL)),
				phoneNumber: Type.Optional(text),
				name: Type.Optional(text),
				isAdmin: Type.Optional(Type.Boolean()),
			}),
		),
	),
	webhookUrl: Type.Optional(text),
	webhookSecret: Type.Optional(text),
	webhookIdentifier: Type.Optional(text),
});
export type CreateCollectionRequest = Static<typeof CreateCollectionRequest>;
