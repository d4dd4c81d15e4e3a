import { textFile } from '../../support/markdown.mts';

/** A certificate for 127.0.0.1 and its key, made for the tests and used nowhere else. */
const pem = (name: string) => {
	const both = textFile(`test/engine/support/${name}.pem`);
	return { key: both, cert: both };
};

/** Nobody trusts it, which is the point. */
export const selfSigned = pem('selfSigned');

/** It was valid on the first day of 2020 only. */
export const expired = pem('expired');
