import getPort from 'get-port';

/** `count` different free ports on 127.0.0.1. */
export async function freePorts(count: number): Promise<number[]> {
	return await Promise.all(Array.from({ length: count }, () => getPort({ host: '127.0.0.1' })));
}
