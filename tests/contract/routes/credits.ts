import { none, type Template } from "./template";

const ofGrant = (tail: string) => ({
	path: `/credits/grants/{grant}${tail}`,
	scope: "CREDIT:WRITE" as const,
	unknown: [[`/credits/grants/01900000-0000-7000-8000-000000000000${tail}`, "CreditGrantNotFound"]] as const,
});

const creditGrant = {
	customerId: "acme",
	currencyId: "gold",
	displayName: "Gift",
	grantType: "PROMOTIONAL",
	amount: 5,
};

const recharge = {
	customerId: "acme",
	currencyId: "gold",
	isEnabled: false,
	thresholdType: "CREDIT_AMOUNT",
	thresholdValue: 1,
	targetBalance: 10,
	grantExpirationPeriod: "1_YEAR",
};

export const credits: Record<string, Template> = {
	"GET /credits/grants": {
		path: "/credits/grants",
		query: "customerId=acme",
		scope: "CREDIT:READ",
		unknown: [[`/credits/grants?customerId=${none}`, "CustomerNotFound"]],
	},
	"POST /credits/grants": {
		path: "/credits/grants",
		scope: "CREDIT:WRITE",
		body: creditGrant,
		unknown: [
			["/credits/grants", "CustomerNotFound", { ...creditGrant, customerId: none }],
			["/credits/grants", "CustomCurrencyNotFound", { ...creditGrant, currencyId: none }],
		],
	},
	"GET /credits/auto-recharge": {
		path: "/credits/auto-recharge",
		query: "customerId=acme&currencyId=gold",
		scope: "CREDIT:READ",
		unknown: [
			[`/credits/auto-recharge?customerId=${none}&currencyId=gold`, "CustomerNotFound"],
			[`/credits/auto-recharge?customerId=acme&currencyId=${none}`, "CustomCurrencyNotFound"],
		],
	},
	"PUT /credits/auto-recharge": {
		path: "/credits/auto-recharge",
		scope: "CREDIT:WRITE",
		body: recharge,
		unknown: [
			["/credits/auto-recharge", "CustomerNotFound", { ...recharge, customerId: none }],
			["/credits/auto-recharge", "CustomCurrencyNotFound", { ...recharge, currencyId: none }],
		],
	},
	"PATCH /credits/grants/:id": { ...ofGrant(""), body: { displayName: "Given" } },
	"POST /credits/grants/:id/void": ofGrant("/void"),
};
