/** The rules of imports (ARCHITECTURE.md, "Import rules"). */

/**
 * The areas in their order, as patterns of paths: each area imports only earlier ones. Three folders stand apart from their areas:
 * charging credits needs usage and entitlements, reporting usage needs charging, and attempts and invoices ask whether there are dunning policies. The compositions (routes/, graphql/schema.ts) pass the operations
 * of a later area to an earlier one. A later area adds its own fields to the GraphQL types of an earlier one.
 */
const order = [
	"outbox",
	"access",
	"audit",
	"identity-providers",
	"scim",
	"webhooks",
	"legal-entities",
	"pricing",
	"taxes",
	"products",
	"features",
	"feature-groups",
	"currencies",
	"packages",
	"entitlement-sources",
	"coupons",
	"customers",
	"governance",
	"promotional-entitlements",
	"direct-debit",
	"dunning/policies",
	"collection",
	"invoices",
	"credits(?!/charging)",
	"usage",
	"billing",
	"subscriptions",
	"entitlements(?!/consumption)",
	"credits/charging",
	"entitlements/consumption",
	"simulations",
	"plans",
	"addons",
	"paywall",
	"portal",
	"contracts",
	"bank",
	"dunning(?!/policies)",
	"catalog",
	"privacy",
];

/** The folders of an area that import each other, in their order: each folder imports only earlier ones. */
const folderOrder = {
	dunning: ["policies", "mails"],
	bank: ["statements", "matching", "entries", "debits", "imports"],
	access: ["keys", "members", "environments", "sign-in"],
	collection: ["providers", "calls", "connections", "methods", "pages", "attempts", "refunds", "disputes", "events"],
	contracts: ["billing", "order-form"],
	credits: ["balances", "costs", "charging", "recharge", "grants", "ledger", "revenue", "usage", "verification"],
	entitlements: ["reservations", "consumption"],
	governance: [
		"placement",
		"allocation",
		"shown",
		"notices",
		"tree",
		"export",
		"files",
		"subtree",
		"requests",
		"templates",
	],
	invoices: [
		"balance",
		"drafts",
		"consolidated",
		"credit-notes",
		"payments",
		"check",
		"document",
		"receipts",
		"disputes",
		"fonts",
		"lists",
		"pdf",
	],
	packages: ["entitlements", "charges", "versions"],
	pricing: ["models", "choice", "commitments", "rerate", "explain"],
	subscriptions: [
		"terms",
		"billing",
		"spend-thresholds",
		"credits",
		"lifecycle",
		"customers",
		"import",
		"lists",
		"preview",
		"versions",
	],
	usage: [
		"aggregation",
		"blocks",
		"archive",
		"fingerprints",
		"formats",
		"log",
		"ingest",
		"events",
		"counting",
		"budgets",
		"erasing",
		"reading",
		"rebuild",
		"recount",
	],
};

/** An area, or a folder in it, at most two levels deep. */
const area = "^src/areas/([^/]+)/(?:[^/]+/|)(?:[^/]+/|)";

/** The entry points of an area and of its folders. Pricing contains only rules. */
const entryPoints = [
	"^src/areas/[^/]+/(?:[^/]+/|)(?:[^/]+/|)(operations|rules|schema|table)[^/]*\\.ts$",
	"^src/areas/outbox/event-types\\.ts$",
	"^src/areas/pricing/",
];

/** The bodies of background jobs, and what of usage runs on threads of its own. */
const jobs = [
	"^src/areas/invoices/render\\.ts$",
	"^src/areas/simulations/simulate\\.ts$",
	"^src/areas/audit/retention\\.ts$",
	"^src/areas/privacy/erase(-elsewhere)?\\.ts$",
	"^src/areas/webhooks/(deliver|sending)\\.ts$",
	"^src/areas/entitlements/alerts/(evaluate|emit-changes)\\.ts$",
	"^src/areas/credits/(consumption/settle|charging/events/follow)\\.ts$",
	"^src/areas/governance/tree/follow\\.ts$",
	"^src/areas/collection/(collector|adapters)\\.ts$",
	"^src/areas/subscriptions/(import/import|versions/migrate|spend-thresholds/follow)\\.ts$",
	"^src/areas/bank/(imports/import|debits/(make|settle))\\.ts$",
	"^src/areas/usage/",
];

const inOrder = order.slice(0, -1).map((name, at) => ({
	name: `${name}-imports-earlier-areas-only`,
	comment: "Areas stand in an order (see the list), so that no two import each other.",
	severity: "error",
	from: { path: `^src/areas/${name}/` },
	to: { path: `^src/areas/(${order.slice(at + 1).join("|")})/` },
}));

const foldersInOrder = Object.entries(folderOrder).flatMap(([name, folders]) =>
	folders.slice(0, -1).map((folder, at) => ({
		name: `${name}-${folder}-imports-earlier-folders-only`,
		comment: "The folders of an area stand in an order (see the list), so that no two import each other.",
		severity: "error",
		from: { path: `^src/areas/${name}/${folder}/` },
		to: {
			path: `^src/areas/${name}/(${folders.slice(at + 1).join("|")})/`,
		},
	})),
);

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
	forbidden: [
		{
			name: "no-circles",
			comment: "Modules form a graph without circles, of types too.",
			severity: "error",
			from: {},
			to: { circular: true },
		},
		{
			name: "kernel-knows-nobody",
			comment: "The kernel imports nothing of ours but itself.",
			severity: "error",
			from: { path: "^src/kernel/" },
			to: { path: "^src/", pathNot: "^src/kernel/" },
		},
		{
			name: "rules-and-schemas-are-pure",
			comment: "Rules and schemas decide over plain values: no database, no HTTP, no store, no operation.",
			severity: "error",
			from: { path: `${area}(rules|schema)[^/]*\\.ts$` },
			to: {
				path: [
					"^src/(http|tasks/(store|operations|table)|workers|graphql|cli|folder|demo)",
					"^src/areas/[^/]+/(?:[^/]+/|)(?:[^/]+/|)(store|operations|routes|graphql|view)",
					"^src/kernel/(work|storage/(db|migrate|lock))\\.ts$",
					"^bun:sqlite$",
					"node_modules/(elysia|drizzle-orm)/",
				],
				dependencyTypesNot: ["type-only"],
			},
		},
		...inOrder,
		...foldersInOrder,
		{
			name: "every-folder-has-its-place",
			comment: "A folder that imports another folder of its area is put into the list of its area.",
			severity: "error",
			from: {
				path: "^src/areas/([^/]+)/([^/]+)/",
				pathNot: Object.entries(folderOrder).map(([name, folders]) => `^src/areas/${name}/(${folders.join("|")})/`),
			},
			to: { path: "^src/areas/$1/[^/]+/", pathNot: "^src/areas/$1/$2/" },
		},
		{
			name: "http-imports-only-rules-of-access",
			comment: "Access mounts its routes on HTTP. Only `http/authentication` calls operations of access.",
			severity: "error",
			from: { path: "^src/http/", pathNot: "^src/http/authentication/" },
			to: { path: "^src/areas/access/", pathNot: "^src/areas/access/rules[^/]*\\.ts$" },
		},
		{
			name: "access-does-not-import-authentication",
			comment: "`http/authentication` imports access, so access does not import it.",
			severity: "error",
			from: { path: "^src/areas/access/" },
			to: { path: "^src/http/authentication/" },
		},
		{
			name: "http-does-not-import-usage",
			comment: "Usage mounts its routes on HTTP; the composition passes to HTTP the operations of usage that it calls.",
			severity: "error",
			from: { path: "^src/http/" },
			to: { path: "^src/areas/usage/" },
		},
		{
			name: "tasks-do-not-import-workers",
			comment: "Workers run tasks, so tasks do not import workers.",
			severity: "error",
			from: { path: "^src/tasks/" },
			to: { path: "^src/workers/" },
		},
		{
			name: "every-area-has-its-place",
			comment: "A new area is put into the list above.",
			severity: "error",
			from: { path: "^src/areas/", pathNot: `^src/areas/(${order.join("|")})/` },
			to: {},
		},
		{
			name: "pricing-and-entitlement-sources-are-rules",
			comment: "What several areas reckon by is pure: no store, no operation, no transaction.",
			severity: "error",
			from: { path: "^src/areas/(pricing|entitlement-sources)/" },
			to: {
				path: "^src/",
				pathNot: ["^src/(kernel|areas/(pricing|entitlement-sources))/", "^src/areas/packages/schema\\.ts$"],
			},
		},
		{
			name: "stores-stay-home",
			comment: "A store imports the kernel, tables, and its own area's rules and schemas; no operations, no routes.",
			severity: "error",
			from: { path: `${area}store[^/]*\\.ts$` },
			to: {
				path: [
					"^src/areas/[^/]+/(?:[^/]+/|)(?:[^/]+/|)(operations|routes|graphql|view)",
					"^src/(workers|graphql|cli|demo)",
				],
			},
		},
		{
			name: "entry-points-between-areas",
			comment:
				"Of another area its operations, rules, schemas and tables are imported. (Plans and addons are packages: they mount what those have alike.)",
			severity: "error",
			from: { path: "^src/areas/([^/]+)/" },
			to: {
				path: "^src/areas/",
				pathNot: ["^src/areas/$1/", ...entryPoints, "^src/areas/packages/(endpoints|openapi|view\\.version)\\.ts$"],
			},
		},
		{
			name: "packages-endpoints-are-mounted-by-plans-and-addons",
			severity: "error",
			from: { path: "^src/", pathNot: "^src/areas/(packages|plans|addons)/" },
			to: { path: "^src/areas/packages/(endpoints|openapi|view\\.version)\\.ts$" },
		},
		{
			name: "entry-points-of-areas",
			comment:
				"Kernel, HTTP, clocks, tasks, demo, folder and command line come in by the same door; compositions besides to routes and fields, workers to jobs.",
			severity: "error",
			from: { path: "^src/(?!areas/|console/|embed/)", pathNot: "^src/(routes/|graphql/schema\\.ts$)|^src/workers/" },
			to: { path: "^src/areas/", pathNot: entryPoints },
		},
		{
			name: "compositions-mount-ways-in",
			severity: "error",
			from: { path: "^src/(routes/|graphql/schema\\.ts$)" },
			to: {
				path: "^src/areas/",
				pathNot: [...entryPoints, "^src/areas/[^/]+/(?:[^/]+/|)(?:[^/]+/|)(routes|graphql)[^/]*\\.ts$"],
			},
		},
		{
			name: "workers-run-jobs",
			severity: "error",
			from: { path: "^src/workers/" },
			to: { path: "^src/areas/", pathNot: [...entryPoints, ...jobs] },
		},
		{
			name: "tables-are-for-references-and-joins",
			comment: "Whoever else names a row of another area names its type.",
			severity: "error",
			from: { path: "^src/(?!areas/)", pathNot: "/(table|store|graphql)[^/]*\\.ts$" },
			to: { path: `${area}table[^/]*\\.ts$`, dependencyTypesNot: ["type-only"] },
		},
		{
			name: "areas-join-tables-in-stores",
			comment: "As above, between areas.",
			severity: "error",
			from: { path: "^src/areas/([^/]+)/", pathNot: "/(table|store|graphql)[^/]*\\.ts$" },
			to: { path: `${area}table[^/]*\\.ts$`, pathNot: "^src/areas/$1/", dependencyTypesNot: ["type-only"] },
		},
		{
			name: "nobody-imports-the-ways-in",
			comment: "Routes, GraphQL fields and threads' entries are imported by the compositions only.",
			severity: "error",
			from: { path: "^src/", pathNot: "^src/(routes/|graphql/|workers/)" },
			to: {
				path: "^src/areas/[^/]+/(?:[^/]+/|)(?:[^/]+/|)(routes|graphql)[^/]*\\.ts$|^src/workers/threads/(writer|http|ingester|aggregator|renderer|deliverer)\\.ts$",
			},
		},
		{
			name: "console-knows-the-wire-only",
			comment: "What runs in browsers imports itself, schemas of the wire, and what is pure of the kernel.",
			severity: "error",
			from: { path: "^src/(console|embed)/", pathNot: "^src/(console|embed)/assets\\.ts$" },
			to: {
				path: "^src/",
				pathNot: [
					"^src/$1/",
					"^src/(areas/.+|tasks|metrics|scheduler|test-clocks)/(schema|rules)[^/]*\\.ts$",
					"^src/kernel/(schema|schema.proration-mode|schema.time-zone|decimal|money|clock|error-codes)\\.ts$",
				],
			},
		},
		{
			name: "console-is-served-as-assets",
			comment: "The server knows the console by the files that it is bundled into.",
			severity: "error",
			from: { path: "^src/", pathNot: "^src/(console|embed)/" },
			to: { path: "^src/(console|embed)/", pathNot: "^src/(console|embed)/assets\\.ts$" },
		},
		{
			name: "source-knows-no-tests",
			severity: "error",
			from: { path: "^src/" },
			to: { path: "^(tests|scripts)/" },
		},
		{
			name: "no-undeclared-packages",
			comment: "Everything imported is a dependency of package.json.",
			severity: "error",
			// What runs in browsers is bundled when the executable is built.
			from: { path: "^src/", pathNot: "^src/(console|embed)/" },
			to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only"] },
		},
	],
	options: {
		doNotFollow: { path: "node_modules" },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: "tsconfig.json" },
		enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "bun", "default"] },
		exclude: { path: "^bun:" },
	},
};
