// Usage: node sandbox/service/main.mts [--port 4010]
import { serve } from '../shared/http/server.mts';
import { buildApp } from './app.mts';

console.log(`The sandbox service is ready at ${await serve(await buildApp())}`);
