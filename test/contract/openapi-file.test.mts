import { spawnSync } from 'node:child_process';
import { apiDocument } from '../../sandbox/service/apiDocument.mts';
import { ROOT, textFile } from '../support/markdown.mts';
import { isObject, useService, type Json } from './client.mts';

const service = useService();
const FILE = 'docs/service-api.openapi.json';
const kept = JSON.parse(textFile(FILE)) as Json;

test('the file is what the sandbox says of the service', async () => {
	const made = apiDocument((await service.ask('/docs/json')).json);
	const advice = `Write ${FILE} anew: npx node sandbox/service/apiDocument.mts`;
	expect(JSON.stringify(made) === JSON.stringify(kept) || advice).toBe(true);
});

test('a validator of OpenAPI 3.1 accepts it', () => {
	const { stdout } = spawnSync('npx', ['validate-api', FILE], { cwd: ROOT, encoding: 'utf8' });
	expect(JSON.parse(stdout)).toEqual({ valid: true });
});

test('it has the service and nothing of the sandbox', () => {
	expect(Object.keys(kept.paths as Json)).toEqual([
		'/di/collection-request/',
		'/di/collection-request/{id}',
		'/di/share/{id}',
	]);
	expect(textFile(FILE)).not.toMatch(/sandbox|own choice|localhost|127\.0\.0\.1/i);
	const { schemas } = kept.components as { schemas: Json };
	expect(Object.keys(schemas)).not.toContain('Error');
});

test('what is unknown says so in its description, and nothing else does', () => {
	const wrong: unknown[] = [];
	const look = (node: unknown) => {
		if (!isObject(node)) return;
		const says = /\bunknown\b/i.test(typeof node.description === 'string' ? node.description : '');
		if (says !== (node['x-unknown'] ?? false)) wrong.push(node);
		Object.values(node).forEach(look);
	};
	look(kept);
	expect(wrong).toEqual([]);
});
