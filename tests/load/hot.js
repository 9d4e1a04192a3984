// Context: load.  node: JIT code, promises, a worker, a child, timers.
const { Worker, isMainThread, parentPort } = require('worker_threads');
const { execFileSync } = require('child_process');
const { createHash } = require('crypto');

function hot(n) {
	let x = 1;
	for (let i = 0; i < n; i++)
		x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
	return x;
}

if (!isMainThread) {
	parentPort.postMessage(hot(50000000));
} else {
	const worker = new Worker(__filename);
	worker.on('message', async (x) => {
		let hash = createHash('sha256');
		for (let i = 0; i < 2000; i++)
			hash.update(JSON.stringify({ i, x: hot(1000) }));
		for (let i = 0; i < 20; i++)
			await new Promise((done) => setTimeout(done, 2));
		console.log(x, hot(50000000), hash.digest('hex'));
		console.log(execFileSync('/bin/echo', ['child']).toString());
	});
}
