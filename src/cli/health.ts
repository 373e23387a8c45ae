import { Command } from "commander";
import type { CliContext } from "./context";
import { CannotReach } from "./explain";

/** Serves as a container's health check: a small image has no other HTTP client. */
export function healthCommand({ config, print }: CliContext): Command {
	return new Command("health")
		.description("Ask the running server whether it is ready.")
		.option("--alive", "ask only whether it is alive: a server with a full disk is, and a restart does not help it")
		.action(async ({ alive }: { alive?: true }) => {
			const { host, port } = config();
			const server = `${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`;
			const state = alive ? "alive" : "ready";
			const answer = await fetch(`http://${server}${alive ? "/healthz" : "/readyz"}`).catch(() => undefined);
			if (!answer)
				throw new CannotReach(`No server answers at ${server}: start it, or set TOLLGATE_HOST and TOLLGATE_PORT.`);
			if (!answer.ok) throw new CannotReach(`The server at ${server} is not ${state}: ${await answer.text()}`);
			print(state);
		});
}
