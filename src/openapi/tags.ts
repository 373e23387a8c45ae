/** The groups of the document, in the order in which a newcomer meets them. */
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
	{ name: "Addons", description: "What is bought beside a plan." },
	{ name: "Coupons", description: "Discounts, in percent or in amounts." },
	{ name: "Custom currencies", description: "Credits of your own." },
	{ name: "Credit grants", description: "Credits that are given and sold." },
	{ name: "Credit ledger", description: "What was consumed of credits, each movement of them, and what is left." },
	{ name: "Customers", description: "Who buys: profile, resources, payment method, links to other systems." },
	{ name: "Promotional entitlements", description: "What a customer is given beside what it bought." },
	{ name: "Subscriptions", description: "The whole life of a subscription: sale, trial, change, renewal, end." },
	{ name: "Entitlements", description: "May the customer do that? Answered from what it bought and used." },
	{ name: "Usage", description: "Usage events, and the history of what was used." },
	{ name: "Invoices", description: "Invoices and credit notes, and their PDFs." },
	{
		name: "Legal entities",
		description: "The companies that issue invoices, each with its numbers and its bank account.",
	},
	{ name: "Contracts", description: "Negotiated contracts with line items." },
	{ name: "Webhooks", description: "Being told what happens: endpoints, deliveries, and the same events to be read." },
	{ name: "Tasks", description: "How far work in the background has come." },
	{
		name: "Environments",
		description: "Their settings, their catalogues, and test clocks: the time of a sandbox, frozen and turned forward.",
	},
	{ name: "API keys", description: "Who may call, and what: scopes, ends, addresses and origins." },
	{ name: "Audit log", description: "Who changed what, and when: every change, in a chain that shows tampering." },
	{ name: "Access", description: "Users who sign in." },
	{ name: "GraphQL", description: "The same data by GraphQL." },
	{ name: "Health", description: "For load balancers and containers." },
];
