import { unified } from '../basics/text';

/** What lists call their columns in seven languages, by what is in them: letters and digits only. */
const HEADINGS = {
	email: `email mail emailaddress mailaddress email1value primaryemail emailadresse mailadresse
		adresseemail adressemail adresseelectronique adressedemessagerie adressecourriel courriel
		courrierelectronique mel correo correoelectronico direcciondecorreo
		direcciondecorreoelectronico indirizzoemail postaelettronica indirizzopostaelettronica
		indirizzodipostaelettronica enderecodeemail correioeletronico enderecodecorreioeletronico
		enderecodecorreioelectronico emailadres mailadres`,
	name: `name fullname displayname lastnamefirstname anzeigename vollstandigername vorundnachname
		vornamenachname vornamename namevorname nachnamevorname nom nomcomplet nometprenom
		prenometnom nomprenom prenomnom nombre nombrecompleto nombreyapellido nombreyapellidos
		nombresyapellidos apellidosynombre apellidosynombres nome nomecompleto nomeecognome
		cognomeenome nomeesobrenome nomeeapelido naam volledigenaam weergavenaam`,
	given: `first firstname fname givenname givennames forename forenames vorname vornamen rufname
		prenom prenoms nombres nombredepila primernombre primeironome nomeproprio voornaam voornamen
		roepnaam`,
	middle: `middlename tussenvoegsel tussenvoegsels primerapellido apellido1 apellidopaterno`,
	family: `last lastname lname family familyname surname nachname familienname zuname nomdefamille
		apellido apellidos segundoapellido apellido2 apellidomaterno cognome apelido sobrenome
		ultimonome achternaam familienaam`,
};

export type Kind = keyof typeof HEADINGS;

const KINDS = new Map(
	Object.entries(HEADINGS).flatMap(([kind, words]) =>
		words.split(/\s+/).map((word) => [word, kind as Kind] as const),
	),
);

/**
 * A heading, or a word of a name, as it is compared: without case and width, accents of Latin letters,
 * and whatever is no letter or digit, unless there is nothing else.
 */
export const headingKey = (heading: string): string =>
	unified(heading)
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}]|[\u0300-\u036f]/gu, '') || heading;

export const headingKindOf = (heading: string): Kind | undefined => KINDS.get(headingKey(heading));

/**
 * One name of the cells of a person. In many languages, the heading of family names, or of first names,
 * is also that of whole names; and beside first and last name, it may be that of a company.
 */
export function joinedName([name = '', given = '', middle = '', family = '']: string[]): string {
	const parts = [given, middle, family].filter((part) => part !== '');
	if (parts.length === 0) return name;
	const isSplit = given !== '' && family !== '';
	const words = isSplit ? headingKey(name) : wordsOf(name);
	if (wordsOf(parts.join(' ')).every((word) => words.includes(word))) return name;
	if (isSplit) return parts.join(' ');
	return given === '' ? [name, ...parts].join(' ') : [...parts, name].join(' ');
}

const wordsOf = (text: string) => (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).map(headingKey);
