import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { systemActor } from "../areas/access/rules.actors";
import { answer } from "../kernel/schema";
import type { Work } from "../kernel/work";
import type { Services } from "../server/context";
import { healthOperations as operations } from "./health.openapi";

const Status = Type.Object({ status: Type.String() });
/** Ready, with the number of events that the totals lack; or not ready, with the missing parts. */
const Readiness = Type.Object({
	status: Type.String(),
	uncountedEvents: Type.Optional(Type.Integer()),
	missing: Type.Optional(Type.Array(Type.String())),
	message: Type.Optional(Type.String()),
});

/** An actor without an environment, because all environments share the event log. */
const wholeFolder = systemActor("");

/** Both probes need no key (docs/interface/running.md). */
export const healthRoutes = ({ transactions, notReady, disk }: Services, uncountedEvents: (work: Work) => number) =>
	new Elysia({ tags: ["Health"] })
		.get("/healthz", () => ({ status: "ok" }), { detail: operations.alive, response: answer(Status) })
		.get(
			"/readyz",
			async ({ status }) => {
				const message = await disk.trouble();
				const missing = [...notReady(), ...(message === undefined ? [] : ["disk"])];
				return missing.length === 0
					? { status: "ready", uncountedEvents: transactions.read(wholeFolder, uncountedEvents) }
					: status(503, { status: "not ready", missing, ...(message !== undefined && { message }) });
			},
			{ detail: operations.ready, response: { 200: answer(Readiness), 503: answer(Readiness) } },
		);
