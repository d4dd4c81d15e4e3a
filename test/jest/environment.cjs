// Where a file of unit or engine runs: isolated from the others, as jest isolates it, but with one n8n
// for all of them, since loading n8n-core takes longer than most files.
const { isNativeError } = require('node:util/types');
const { TestEnvironment } = require('jest-environment-node');

// n8n must recognize the errors of a file, and the file those of n8n: a context of V8 has its own.
const { [Symbol.hasInstance]: isInstance } = Function.prototype;
Object.defineProperty(Error, Symbol.hasInstance, {
	value(error) {
		return isInstance.call(this, error) || (this === Error && isNativeError(error));
	},
});

module.exports = class extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		Object.assign(this.global, { Error, loadOnce: require });
	}
};
