import path from 'node:path';
import { root } from '../../../sandbox/shared/paths.mts';

/** n8n's user folder of the browser tests. */
export const userFolder = path.join(root, '.browser');

/** The pictures of the last run. */
export const pictures = path.join(root, 'test', 'artefacts', 'browser');

/**
 * Chromium's profile: one for all files of a run, so that the editor is loaded from its cache. It
 * lies in node_modules because the strict lint parses every script elsewhere in the checkout.
 */
export const profile = path.join(root, 'node_modules', '.cache', 'browser-profile');
