// Fails if a link or a picture of a document leads to a file or a heading of this repository that is
// not there. `npm test` runs it. It opens no addresses of others.
import { existsSync, readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';

const { homepage } = JSON.parse(readFileSync('package.json', 'utf8')) as { homepage: string };
const repository = homepage.replace(/#.*$/, '');

/** Without code, which may look like a link. */
const prose = (file: string) =>
	readFileSync(file, 'utf8').replace(/^( *)```[\s\S]*?^\1```$|`[^`\n]+`/gm, (code) =>
		code.replace(/^#+|[[\]()]/gm, ''),
	);

/** The anchors of a document's headings, as GitHub makes them; a repeated one has a number. */
function anchorsOf(file: string): string[] {
	const seen: string[] = [];
	return [...prose(file).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
		const words = heading.trim().toLowerCase();
		const slug = words.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
		const count = seen.filter((one) => one === slug).length;
		seen.push(slug);
		return count === 0 ? slug : `${slug}-${count}`;
	});
}

/** Whether a target leads to what is there, as far as this repository decides that. */
function isThere(file: string, target: string): boolean {
	const own = target.replace(`${repository}/blob/main`, '');
	if (/^https?:/.test(own)) return !own.startsWith('http:');
	const [place = '', anchor] = own.split('#');
	const folder = own === target ? path.dirname(file) : '.';
	const found = place === '' ? file : path.join(folder, decodeURIComponent(place));
	if (!existsSync(found)) return false;
	return anchor === undefined || anchorsOf(found).includes(anchor);
}

const listed = execFileSync('git', ['ls-files', '*.md', '*.node.json', '*.credentials.ts']);
const broken = String(listed)
	.trim()
	.split('\n')
	.flatMap((file) => {
		const links = /\]\(([^)\s]+)\)|"url": "([^"]+)"|documentationUrl =\s+'([^']+)'/g;
		const targets = [...prose(file).matchAll(links)].map((found) => found.slice(1).join(''));
		return targets.filter((target) => !isThere(file, target)).map((target) => [file, target]);
	});
for (const [file, target] of broken) console.log(`${file}: ${target} leads nowhere`);
process.exitCode = broken.length === 0 ? 0 : 1;
