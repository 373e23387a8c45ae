import type { GraphqlArea } from "../../../graphql/area";
import { mutationsOf } from "../../../graphql/input/mutations";
import { sent } from "../../../graphql/input/operation";
import { itemsOf } from "../../../graphql/input/subscription-input";
import { acceptConsumptions, consumeCredits } from "./operations";
import { CreditConsumption, CreditConsumptions, CreditsConsumed } from "./schema";

const schemas = { CreditsConsumed, CreditConsumption };

const typeDefs = `
	type CreditsConsumed from CreditsConsumed {
		* credit as CreditsConsumedBalance "The wallet right after the consumption." { * }
	}
	"idempotencyKey is unique for each customer. A repeated key consumes nothing and returns the first response."
	input ConsumeCreditsInput from CreditConsumption {
		*
		"Defaults to now."
		createdAt as DateTime
		dimensions environmentId
	}
	input ConsumeCreditsAsyncInput { consumptions: [ConsumeCreditsInput!]! environmentId: String }
`;

const write = mutationsOf({ returns: "CreditsConsumed", scope: "CREDIT:WRITE", dropsNulls: true });

export const creditConsumptionGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	mutations: {
		consumeCredits: write.create("ConsumeCreditsInput", CreditConsumption, consumeCredits),
		consumeCreditsAsync: write.create("ConsumeCreditsAsyncInput", CreditConsumptions, acceptConsumptions, {
			...{ returns: "JSON", read: ({ consumptions }) => ({ consumptions: itemsOf(consumptions)?.map(sent) }) },
			comment: "Consumes up to 1000 amounts, all or none, a moment later. Returns an empty object.",
		}),
	},
};
