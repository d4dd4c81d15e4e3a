import path from 'node:path';

/** The checkout that this sandbox belongs to. */
export const root = path.dirname(path.dirname(import.meta.dirname));

/** The folder with n8n's own package.json, lock file and node_modules. */
export const n8nFolder = path.join(root, 'sandbox', 'n8n');

/** Name of the package under development, as n8n loads it. */
export const packageName = 'n8n-nodes-data-collection';

/** The folder for what runs keep: n8n's data, logs, what a suite has started. Git ignores it. */
export const stateFolder = (...names: string[]) => path.join(root, '.state', ...names);
