import { Elysia } from "elysia";
import { assertOwnEnvironment } from "../areas/access/rules";
import { identity } from "../http/identity";
import { HttpRefusal } from "../http/refusal";
import type { DueStep } from "../kernel/due";
import { single } from "../kernel/schema";
import { logFailure } from "../scheduler/catch-up";
import type { Services } from "../server/context";
import { clockOperations as operations } from "./openapi";
import { advanceClock, releaseClock, showClock } from "./operations";
import { ClockBody, ClockPath, ClockView, TurnedClockView } from "./schema";

/** Routes of test clocks, our addition to the interface. Only keys of the environment read and advance its clock. */
export const clockRoutes = (services: Services) => {
	const { transactions, turns, log, stopping } = services;
	return new Elysia({ prefix: "/api/v1/environments/:id/clock", tags: ["Environments"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, actor, params }) => {
				assertOwnEnvironment(actor, params.id);
				return read((work) => ({ data: showClock(work) }));
			},
			{ detail: operations.retrieve, permit: "ENVIRONMENT:READ", params: ClockPath, response: single(ClockView) },
		)
		.post(
			"",
			({ once, actor, cause, params, body }) => {
				assertOwnEnvironment(actor, params.id);
				const isStopping = () => stopping.aborted;
				const onFailure = (step: DueStep) => logFailure(log, actor.environmentId, step);
				return once(async () => {
					const data = await advanceClock({ transactions, turns, actor, cause: cause(), isStopping, onFailure }, body);
					if (stopping.aborted)
						throw new HttpRefusal(503, `The server is stopping; the clock got to ${data.now}. Send it again.`, {
							"Retry-After": "5",
						});
					return { data };
				});
			},
			{
				detail: operations.turn,
				// A year of renewals takes long.
				permit: { scope: "ENVIRONMENT:WRITE", takesLong: true },
				params: ClockPath,
				body: ClockBody,
				response: single(TurnedClockView),
			},
		)
		.delete(
			"",
			({ write, actor, params }) => {
				assertOwnEnvironment(actor, params.id);
				return write((work) => ({ data: releaseClock(work) }));
			},
			{ detail: operations.release, permit: "ENVIRONMENT:WRITE", params: ClockPath, response: single(ClockView) },
		);
};
