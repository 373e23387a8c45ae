import type { GraphqlArea } from "../../../graphql/area";
import { type Input, operation } from "../../../graphql/input/operation";
import { isoText, itemsOf, sent } from "../../../graphql/input/subscription-input";
import { acceptConsumptions, consumeCredits } from "./operations";
import { CreditConsumption, CreditConsumptions } from "./schema";

const typeDefs = `
	"What the wallet showed right after it."
	type CreditsConsumedBalance {
		currencyId: String!
		currentUsage: Float!
		usageLimit: Float!
		timestamp: DateTime!
		usagePeriodEnd: DateTime
	}
	type CreditsConsumed {
		customerId: String!
		currencyId: String!
		resourceId: String
		amount: Float!
		timestamp: DateTime!
		credit: CreditsConsumedBalance!
	}
	"The idempotencyKey belongs to the customer: the same again takes nothing and repeats the first answer."
	input ConsumeCreditsInput {
		customerId: String!
		currencyId: String!
		amount: Float!
		idempotencyKey: String!
		resourceId: String
		"Now when left out."
		createdAt: DateTime
		dimensions: JSON
		environmentId: String
	}
	input ConsumeCreditsAsyncInput { consumptions: [ConsumeCreditsInput!]! environmentId: String }
	extend type Mutation {
		consumeCredits(input: ConsumeCreditsInput!): CreditsConsumed
		"Up to 1000 at once, all or none; taken in a moment. Answers an empty object."
		consumeCreditsAsync(input: ConsumeCreditsAsyncInput!): JSON
	}
`;

const scope = "CREDIT:WRITE";

const bodyOf = ({ environmentId: _, createdAt, ...input }: Input): Input =>
	sent({ ...input, createdAt: isoText(createdAt) });

export const creditConsumptionGraphql: GraphqlArea = {
	typeDefs,
	mutations: {
		consumeCredits: operation({ scope, read: bodyOf, body: CreditConsumption, run: consumeCredits }),
		consumeCreditsAsync: operation({
			scope,
			read: ({ consumptions }) => ({ consumptions: itemsOf(consumptions)?.map(bodyOf) }),
			body: CreditConsumptions,
			run: acceptConsumptions,
		}),
	},
};
