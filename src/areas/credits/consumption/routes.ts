import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { creditConsumptionOperations as operations } from "./openapi";
import { acceptConsumptions, consumeCredits } from "./operations";
import { CreditConsumption, CreditConsumptions, CreditsAccepted, CreditsConsumed } from "./schema";

/** These handle thousands of requests a second, so they call the writer by name, without a second pass through the router. */
const permit = { scope: "CREDIT:WRITE", asksWriter: true } as const;
const tags = ["Credit ledger"];

export const creditConsumptionRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/credits/consumption", normalize: false })
		.use(identity(services))
		.post("", ({ ask, body }) => ask("consumeCredits", body, (work) => ({ data: consumeCredits(work, body) })), {
			detail: { ...operations.consume, tags },
			permit,
			body: CreditConsumption,
			response: single(CreditsConsumed),
		})
		.post(
			"/async",
			({ ask, body }) => ask("acceptConsumptions", body, (work) => ({ data: acceptConsumptions(work, body) })),
			{
				detail: { ...operations.consumeAsync, tags },
				permit,
				body: CreditConsumptions,
				response: single(CreditsAccepted),
			},
		);
