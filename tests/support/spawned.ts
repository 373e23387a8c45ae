import { showErrors, start, testKey } from "./process";

/** A server that some other program starts: resolves when it listens. */
export async function spawned(program: readonly string[], folder: string) {
	const environment = { TOLLGATE_PORT: "0", TOLLGATE_DATA_DIR: folder, TOLLGATE_BOOTSTRAP_API_KEY: testKey };
	const child = start(program, environment, { asGroup: true });
	void showErrors(child);
	let printed = "";
	const decoder = new TextDecoder();
	const listening = Promise.withResolvers<string>();
	// The pipe ends when the last process that holds it has ended: the server.
	const ended = (async () => {
		for await (const chunk of child.stdout) {
			printed += decoder.decode(chunk, { stream: true });
			const url = /listening on (http:\/\/[^"\s]+)/.exec(printed)?.[1];
			if (url) listening.resolve(url);
		}
		listening.reject(new Error(`It ended before it listened:\n${printed}`));
	})();
	return { child, url: await listening.promise, ended, output: () => printed };
}
