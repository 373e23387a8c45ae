import { afterAll, beforeAll } from "bun:test";
import { type Console, openConsole, type Window } from "./browser";

/** Opens a console and a signed-in window before the tests of a file, and closes them after the last test. */
export function consoleOfFile(environment?: Parameters<typeof openConsole>[0]) {
	const opened = {} as { console: Console; window: Window };
	beforeAll(async () => {
		opened.console = await openConsole(environment);
		opened.window = await opened.console.open();
	}, 60_000);
	afterAll(() => opened.console?.close());
	return opened as Readonly<typeof opened>;
}
