import getPort from 'get-port';

const host = '127.0.0.1';

/** True when nothing listens on 127.0.0.1:`port`. */
export async function isPortFree(port: number): Promise<boolean> {
	return (await getPort({ port, host })) === port;
}

/** `count` different free ports on 127.0.0.1. */
export async function freePorts(count: number): Promise<number[]> {
	return await Promise.all(Array.from({ length: count }, () => getPort({ host })));
}
