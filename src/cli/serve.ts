import { Command, Option } from "commander";
import { banner } from "../banner";
import { assertKnown, describeSettings, type Environment } from "../config/config";
import { openLog } from "../http/log";
import { SharedLogLevel } from "../http/log-level";
import { serve } from "../server/start";
import type { CliContext } from "./context";

export function serveCommand({ config, print }: CliContext, environment: Environment): Command {
	return new Command("serve")
		.description("Run the server.")
		.addHelpText("after", describeSettings())
		.addOption(new Option("--demo", "seed the demo catalogue on an empty data folder (also TOLLGATE_DEMO=1)"))
		.action(async ({ demo }: { demo?: boolean }) => {
			assertKnown(environment);
			const read = config();
			const settings = { ...read, demo: read.demo || demo === true };
			const logLevel = new SharedLogLevel(settings.logLevel);
			const log = openLog(logLevel);
			const stop = Promise.withResolvers<void>();
			// Until the port is open no client has an answer, so a signal ends the process at once. A terminal and npm may both send a
			// signal: the second one does not interrupt the stop that the first one began.
			let onSignal = (): void => process.exit(1);
			for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => onSignal());
			const onOpen = (): void => {
				onSignal = stop.resolve;
			};
			const server = await serve(settings, log, { onOpen, stopRequested: stop.promise, logLevel });
			// A terminal shows the keys. A log names the file that has them (server/start.ts).
			if (process.stdout.isTTY) print(banner(server, settings.dataDir, settings.demo));
			await stop.promise;
			await server.stop();
		});
}
