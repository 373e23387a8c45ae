import { operation } from "../openapi/operation";

const path = { id: ["The environment's id; `current` is that of the key", "current"] } as const;

export const clockOperations = {
	retrieve: operation({
		operationId: "environments.clock.retrieve",
		summary: "Show the clock of an environment",
		path,
		refusals: ["EnvironmentMissing"],
	}),
	turn: operation({
		operationId: "environments.clock.turn",
		summary: "Freeze the clock of a sandbox, or turn it forward",
		description:
			"What falls due on the way happens in order, dated at its own time. `{}` freezes the clock where it is. A frozen clock only goes forward.",
		path,
		example: {},
		refusals: ["EnvironmentMissing"],
		uncoded: { 503: "The server is stopping; the message says how far the clock got. Send it again." },
	}),
	release: operation({
		operationId: "environments.clock.release",
		summary: "Give a clock back to the wall clock",
		description: "Refused while it is ahead of the wall clock.",
		path,
		refusals: ["EnvironmentMissing"],
	}),
};
