import { introduction } from '../shared/introduction.mts';
import type { QueueStack } from './stack.mts';

const roles: Record<string, string> = {
	main: 'editor, test URLs, ends waits',
	worker: 'runs executions',
	webhook: 'production URLs, forms',
	redis: 'the queue',
	postgres: 'workflows, credentials, executions',
};

/** What `npm run sandbox:queue` says once everything is up. */
export function queueIntroduction(stack: QueueStack): string {
	const { main, workers, webhooks, redis, postgres, proxyLog } = stack.queue;
	const lines = [main, ...workers, ...webhooks, redis, postgres].map(({ name, port, pid }) => {
		const role = roles[name.replace(/-\d+$/, '')] ?? '';
		return `  ${name.padEnd(11)} ${String(port).padEnd(6)} ${String(pid).padEnd(8)} ${role}`;
	});
	const [worker = main] = workers;
	return `${introduction(stack)}
This is queue mode: a load balancer takes everything at ${stack.n8n.url} and hands it to these processes.

  name        port   process
${lines.join('\n')}

What to look at:

  Who answered what      tail -f ${proxyLog}
  Who ran an execution   tail -f ${workers.map(({ logFile }) => logFile).join(' ')}
  Is a worker healthy    curl http://127.0.0.1:${worker.port}/healthz/readiness
  What a crash does      kill -9 ${worker.pid}    it is started again, as often as five times
`;
}
