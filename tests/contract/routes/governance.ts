import { none, ofCustomer, type Template } from "./template";

const assignments = [{ entityId: "research", featureId: "width", usageLimit: 5, cadence: "P1M" }];

const read = "CUSTOMER:READ";
const write = "CUSTOMER:WRITE";

/** The paths below `/api/v1`; `/api/v1-beta` has the same. */
const routes: Record<string, Template> = {
	"GET /entity-types": { path: "/entity-types", scope: "CATALOG:READ", foreign: "an empty list" },
	"PUT /entity-types": {
		path: "/entity-types",
		scope: "CATALOG:WRITE",
		body: { types: [{ id: "fresh", displayName: "Fresh", attributionKeys: [] }] },
		foreign: "its own",
	},
	"GET /customers/:id/entities": { ...ofCustomer("/entities"), scope: read },
	"PUT /customers/:id/entities": {
		...ofCustomer("/entities"),
		scope: write,
		body: { entities: [{ id: "fresh", entityTypeId: "group" }] },
	},
	"GET /customers/:id/entities/:entityId": {
		path: "/customers/acme/entities/research",
		scope: read,
		unknown: [
			[`/customers/${none}/entities/research`, "CustomerNotFound"],
			[`/customers/acme/entities/${none}`, null],
		],
	},
	...Object.fromEntries(
		["archive", "unarchive"].map((verb): [string, Template] => [
			`POST /customers/:id/entities/${verb}`,
			{
				path: `/customers/acme/entities/${verb}`,
				scope: write,
				body: { ids: ["spare"] },
				unknown: [
					[`/customers/${none}/entities/${verb}`, "CustomerNotFound"],
					[`/customers/acme/entities/${verb}`, null, { ids: [none] }],
				],
			},
		]),
	),
	"GET /customers/:id/assignments": { ...ofCustomer("/assignments"), scope: read },
	"PUT /customers/:id/assignments": {
		path: "/customers/acme/assignments",
		scope: write,
		body: { assignments },
		unknown: [
			[`/customers/${none}/assignments`, "CustomerNotFound"],
			[
				"/customers/acme/assignments",
				"FeatureNotFound",
				{ assignments: assignments.map((one) => ({ ...one, featureId: none })) },
			],
			[
				"/customers/acme/assignments",
				"CustomCurrencyNotFound",
				{ assignments: assignments.map(({ featureId: _, ...one }) => ({ ...one, currencyId: none })) },
			],
		],
	},
	"GET /customers/:id/governance": { ...ofCustomer("/governance"), scope: read },
};

const request = { entityId: "research", featureId: "width", amount: 5, duration: "PERMANENT" };

const fileBudget = { entityId: "research", featureId: "width", usageLimit: 100, cadence: "P1M" };

/** Our additions, which the beta paths do not have. */
const additions: Record<string, Template> = {
	"GET /customers/:id/budgets.csv": { ...ofCustomer("/budgets.csv"), scope: read },
	"GET /customers/:id/budgets": { ...ofCustomer("/budgets"), scope: read },
	...Object.fromEntries(
		["plan", "apply"].map((verb): [string, Template] => [
			`POST /customers/:id/budgets/${verb}`,
			{
				path: `/customers/acme/budgets/${verb}`,
				scope: write,
				body: { budgets: [fileBudget] },
				unknown: [
					[`/customers/${none}/budgets/${verb}`, "CustomerNotFound"],
					[`/customers/acme/budgets/${verb}`, "FeatureNotFound", { budgets: [{ ...fileBudget, featureId: none }] }],
				],
			},
		]),
	),
	"GET /customers/:id/budget-requests": { ...ofCustomer("/budget-requests"), scope: read },
	"POST /customers/:id/budget-requests": {
		path: "/customers/acme/budget-requests",
		scope: write,
		body: request,
		unknown: [
			[`/customers/${none}/budget-requests`, "CustomerNotFound"],
			["/customers/acme/budget-requests", "FeatureNotFound", { ...request, featureId: none }],
		],
	},
	...Object.fromEntries(
		[["approve", "{approvable}"] as const, ["decline", "{declinable}"] as const].map(
			([verb, id]): [string, Template] => [
				`POST /budget-requests/:id/${verb}`,
				{
					path: `/budget-requests/${id}/${verb}`,
					scope: write,
					body: {},
					unknown: [[`/budget-requests/${none}/${verb}`, null]],
				},
			],
		),
	),
};

const underBeta = ([route, template]: readonly [string, Template]): [string, Template] => [
	route.replace(" ", " -beta"),
	{
		...template,
		path: `-beta${template.path}`,
		...(template.unknown && { unknown: template.unknown.map(([path, ...rest]) => [`-beta${path}`, ...rest] as const) }),
	},
];

const all = [...Object.entries(routes), ...Object.entries(routes).map(underBeta), ...Object.entries(additions)];

/** Reads come first: a write of the other environment creates what its lists show. */
export const governance: Record<string, Template> = Object.fromEntries(
	all.sort(([one], [other]) => Number(other.startsWith("GET")) - Number(one.startsWith("GET"))),
);
