// `npx node scripts/serviceApi.mts`: writes docs/service-api.openapi.json anew, out of the emulated
// service's own description.
import { writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { apiDocument } from '../sandbox/service/apiDocument.mts';
import { buildApp } from '../sandbox/service/app.mts';

const file = 'docs/service-api.openapi.json';

const host = '127.0.0.1';
const app = await buildApp({ deliveryTimeoutMs: 0, recordSecrets: false, host, addresses: [] });
await app.ready();
const text = JSON.stringify(apiDocument({ ...app.swagger() }));
await app.close();
await writeFile(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
