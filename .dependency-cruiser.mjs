/** The house's import rules (ARCHITECTURE.md, "Who may import whom"). */

/** An area, or a room in it. */
const area = "^src/areas/([^/]+)/(?:[^/]+/|)";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
	forbidden: [
		{
			name: "no-circles",
			comment: "Modules form a graph without circles.",
			severity: "error",
			from: {},
			to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
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
					"^src/areas/[^/]+/(?:[^/]+/|)(store|operations|routes|graphql|view)",
					"^src/kernel/(db|work|migrate|lock)\\.ts$",
					"^bun:sqlite$",
					"node_modules/(elysia|drizzle-orm)/",
				],
				dependencyTypesNot: ["type-only"],
			},
		},
		{
			name: "pricing-is-pure",
			comment: "Pricing is rules only, below every other area.",
			severity: "error",
			from: { path: "^src/areas/pricing/" },
			to: { path: "^src/", pathNot: "^src/(kernel|areas/pricing)/" },
		},
		{
			name: "stores-stay-home",
			comment: "A store imports the kernel, tables, and its own area's rules and schemas; no operations, no routes.",
			severity: "error",
			from: { path: `${area}store[^/]*\\.ts$` },
			to: { path: ["^src/areas/[^/]+/(?:[^/]+/|)(operations|routes|graphql|view)", "^src/(workers|graphql|cli|demo)"] },
		},
		{
			name: "only-operations-rules-schemas-cross",
			comment: "Between areas only operations, rules and schemas cross; a table only to declare a reference or a join.",
			severity: "error",
			from: { path: area },
			to: { path: "^src/areas/([^/]+)/(?:[^/]+/|)(store|routes|graphql)", pathNot: "^src/areas/$1/" },
		},
		{
			name: "nobody-imports-the-ways-in",
			comment: "Routes, GraphQL fields and job entries are imported by the compositions only.",
			severity: "error",
			from: { path: "^src/", pathNot: "^src/(app|graphql/|workers/|areas/pricing/)" },
			to: {
				path: "^src/areas/[^/]+/(?:[^/]+/|)(routes|graphql)[^/]*\\.ts$|^src/workers/(writer|http|ingester|aggregator|renderer)\\.ts$",
			},
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
			from: { path: "^src/" },
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
