import { fieldsOf, type GraphqlArea } from "../../../graphql/area";
import { type Input, operation, sent } from "../../../graphql/input/operation";

import { type FindCreditPrice, getAutoRecharge, saveAutoRecharge } from "./operations";
import type { ExpirationPeriod } from "./rules";
import { type AutoRecharge, AutoRechargeQuery, AutoRechargeSave } from "./schema";
import { viewAutoRecharge } from "./view";

/** GraphQL names cannot begin with a digit. */
const periods = { ONE_MONTH: "1_MONTH", ONE_YEAR: "1_YEAR" } as const;
const periodNames: Readonly<Record<ExpirationPeriod, string>> = { "1_MONTH": "ONE_MONTH", "1_YEAR": "ONE_YEAR" };

const settingsFields = `
	customerId: String! currencyId: String! isEnabled: Boolean! thresholdType: CreditThresholdType!
	"Credits, or money in the currency of the credit price."
	thresholdValue: Float!
	"In credits."
	targetBalance: Float!
	"Money for each calendar month (UTC). Null means no limit."
	maxSpendLimit: Float
	grantExpirationPeriod: CreditGrantExpirationPeriod!
`;

const schemas = { AutoRechargeQuery, AutoRechargeSave };

const typeDefs = `
	enum CreditThresholdType from AutoRechargeSave.thresholdType
	enum CreditGrantExpirationPeriod { ${Object.keys(periods).join(" ")} }
	type AutoRechargeProblem { message: String! retryDate: DateTime }
	"The rules that refill a customer's credits of one currency. Defaults when none are stored."
	type AutoRechargeSettings {
		id: ID
		${settingsFields}
		"The price of a credit in these settings."
		unitPrice: Money
		"The cost of recharges in the current month."
		currentMonthlySpend: Float!
		"The reason why the last recharge failed, and the time of the next attempt."
		problem: AutoRechargeProblem
		createdAt: DateTime updatedAt: DateTime
	}
	input AutoRechargeSettingsInput from AutoRechargeQuery { * environmentId }
	"Replaces all settings."
	input SaveAutoRechargeSettingsInput {
		${settingsFields}
		"The price of a credit when the customer's plan sells none."
		unitPrice: MoneyInput
		environmentId: String
	}
`;

const settings = fieldsOf<AutoRecharge>({
	fields: {
		grantExpirationPeriod: ({ grantExpirationPeriod }) => periodNames[grantExpirationPeriod],
		currentMonthlySpend: ({ currentMonthlySpend = 0 }) => currentMonthlySpend,
	},
});

const bodyOf = (input: Input): Input =>
	sent({ ...input, grantExpirationPeriod: periods[input.grantExpirationPeriod as keyof typeof periods] });

export const autoRechargeGraphql = (creditPriceOf: FindCreditPrice): GraphqlArea => ({
	schemas,
	typeDefs,
	types: { AutoRechargeSettings: settings },
	queries: {
		getAutoRechargeSettings: operation({
			signature: "(input: AutoRechargeSettingsInput!): AutoRechargeSettings!",
			...{ scope: "CREDIT:READ", dropsNulls: true, body: AutoRechargeQuery },
			run: (work, query) => viewAutoRecharge(work, query, getAutoRecharge(work, query)),
		}),
	},
	mutations: {
		saveAutoRechargeSettings: operation({
			signature: "(input: SaveAutoRechargeSettingsInput!): AutoRechargeSettings",
			...{ scope: "CREDIT:WRITE", read: bodyOf, body: AutoRechargeSave },
			run: (work, body) => viewAutoRecharge(work, body, saveAutoRecharge(work, body, creditPriceOf)),
		}),
	},
});
