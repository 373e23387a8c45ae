import { fieldsOf, type GraphqlArea } from "../../../graphql/area";
import { type Input, operation } from "../../../graphql/input/operation";
import { sent } from "../../../graphql/input/subscription-input";
import { type FindCreditPrice, getAutoRecharge, saveAutoRecharge } from "./operations";
import { type ExpirationPeriod, thresholdTypes } from "./rules";
import { type AutoRecharge, AutoRechargeQuery, AutoRechargeSave } from "./schema";
import { viewAutoRecharge } from "./view";

/** Names cannot begin with a digit. */
const periods = { ONE_MONTH: "1_MONTH", ONE_YEAR: "1_YEAR" } as const;
const periodNames: Readonly<Record<ExpirationPeriod, string>> = { "1_MONTH": "ONE_MONTH", "1_YEAR": "ONE_YEAR" };

const settingsFields = `
	customerId: String!
	currencyId: String!
	isEnabled: Boolean!
	thresholdType: CreditThresholdType!
	"Credits, or money in the currency of a credit's price."
	thresholdValue: Float!
	"Credits."
	targetBalance: Float!
	"Money of a calendar month (UTC); null does not limit it."
	maxSpendLimit: Float
	grantExpirationPeriod: CreditGrantExpirationPeriod!
`;

const typeDefs = `
	enum CreditThresholdType { ${thresholdTypes.join(" ")} }
	enum CreditGrantExpirationPeriod { ${Object.keys(periods).join(" ")} }
	type AutoRechargeProblem { message: String! retryDate: DateTime }
	"When and how far a customer's credits of one currency are filled up again; defaults where nothing is stored."
	type AutoRechargeSettings {
		id: ID
		${settingsFields}
		"The settings' own price of a credit."
		unitPrice: Money
		"What recharges have cost in this month."
		currentMonthlySpend: Float!
		"Why the balance was not filled up, and when that is tried again."
		problem: AutoRechargeProblem
		createdAt: DateTime
		updatedAt: DateTime
	}
	input AutoRechargeSettingsInput { customerId: String! currencyId: String! environmentId: String }
	"All is said each time."
	input SaveAutoRechargeSettingsInput {
		${settingsFields}
		"The price of a credit where the customer's plan sells none."
		unitPrice: MoneyInput
		environmentId: String
	}
	extend type Query { getAutoRechargeSettings(input: AutoRechargeSettingsInput!): AutoRechargeSettings! }
	extend type Mutation { saveAutoRechargeSettings(input: SaveAutoRechargeSettingsInput!): AutoRechargeSettings }
`;

const settings = fieldsOf<AutoRecharge>({
	fields: {
		grantExpirationPeriod: ({ grantExpirationPeriod }) => periodNames[grantExpirationPeriod],
		unitPrice: ({ unitPrice }) => unitPrice && { ...unitPrice, currency: unitPrice.currency.toUpperCase() },
		currentMonthlySpend: ({ currentMonthlySpend = 0 }) => currentMonthlySpend,
	},
});

const bodyOf = ({ environmentId: _, ...input }: Input): Input =>
	sent({ ...input, grantExpirationPeriod: periods[input.grantExpirationPeriod as keyof typeof periods] });

export const autoRechargeGraphql = (creditPriceOf: FindCreditPrice): GraphqlArea => ({
	typeDefs,
	types: { AutoRechargeSettings: settings },
	queries: {
		getAutoRechargeSettings: operation({
			scope: "CREDIT:READ",
			read: ({ environmentId: _, ...input }) => sent(input),
			body: AutoRechargeQuery,
			run: (work, query) => viewAutoRecharge(work, query, getAutoRecharge(work, query)),
		}),
	},
	mutations: {
		saveAutoRechargeSettings: operation({
			scope: "CREDIT:WRITE",
			read: bodyOf,
			body: AutoRechargeSave,
			run: (work, body) => viewAutoRecharge(work, body, saveAutoRecharge(work, body, creditPriceOf)),
		}),
	},
});
