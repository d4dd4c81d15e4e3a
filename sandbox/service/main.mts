// Starts the emulated service on a free port, for tests whose own process cannot.
import { startService } from './start.mts';

console.log(`The sandbox service is ready at ${(await startService()).url}`);
