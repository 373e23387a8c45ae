/** The groups of the document, in the order of a first tour. */
export const tags = [
	{
		name: "Products",
		description: "What is sold: a product has plans and addons, and says what customers start with and fall back to.",
	},
	{
		name: "Features",
		description: "What customers buy: switches, limits, choices; a meter counts their use from events.",
	},
	{ name: "Plans", description: "Price lists in versions: charges and entitlements. A draft is published to be sold." },
	{ name: "Addons", description: "Products that customers buy in addition to a plan." },
	{ name: "Coupons", description: "Discounts, in percent or in amounts." },
	{ name: "Custom currencies", description: "Credits of your own." },
	{ name: "Credit grants", description: "Credits that are given and sold." },
	{ name: "Credit ledger", description: "What was consumed of credits, each movement of them, and what is left." },
	{ name: "Customers", description: "Who buys: profile, resources, payment method, links to other systems." },
	{
		name: "Promotional entitlements",
		description: "Features that are granted to a customer in addition to its purchases.",
	},
	{ name: "Subscriptions", description: "The whole life of a subscription: sale, trial, change, renewal, end." },
	{ name: "Entitlements", description: "May the customer do that? Answered from what it bought and used." },
	{
		name: "Governance",
		description: "Budgets for the teams, users and agents of a customer, and their usage.",
	},
	{ name: "Usage", description: "Usage events, and the history of what was used." },
	{ name: "Invoices", description: "Invoices and credit notes, and their PDFs." },
	{
		name: "Legal entities",
		description: "The companies that issue invoices, each with its numbers and its bank account.",
	},
	{
		name: "Portal",
		description: "What customers see and change by themselves: links to it, and what its page and widgets call.",
	},
	{ name: "Checkout", description: "An order that its customer confirms: the link to it, and what its page calls." },
	{ name: "Contracts", description: "Negotiated contracts with line items." },
	{ name: "Webhooks", description: "Event notifications: endpoints, deliveries, and the same events as a feed." },
	{ name: "Tasks", description: "How far work in the background has come." },
	{
		name: "Environments",
		description: "Their settings, their catalogues, and test clocks: the time of a sandbox, frozen and turned forward.",
	},
	{ name: "API keys", description: "Who may call, and what: scopes, ends, addresses and origins." },
	{ name: "Audit log", description: "Who changed what, and when: every change, in a chain that shows tampering." },
	{ name: "Members", description: "The people of an account: roles and invitations." },
	{ name: "Access", description: "Users who sign in." },
	{ name: "Identity providers", description: "Signing in by OpenID Connect, and who may come in by it." },
	{ name: "SCIM", description: "People and groups as an identity provider provisions them (RFC 7644)." },
	{ name: "GraphQL", description: "The same data by GraphQL." },
	{ name: "Health", description: "For load balancers and containers." },
];
