import { operation } from "../openapi/operation";

export const healthOperations = {
	alive: operation({ operationId: "health.alive", summary: "Does the server live?", callers: "anyone" }),
	ready: operation({
		operationId: "health.ready",
		summary: "Can the server work?",
		description:
			"503 while files are opened, threads are not up or the disk is full; `missing` names what is not there. `uncountedEvents`: how far the totals of usage are behind the log, after a long absence for one.",
		callers: "anyone",
	}),
};
