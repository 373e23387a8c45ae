type Send = (method: string, target: string, body?: unknown) => Promise<unknown>;

/** Budgets of a group with one member, of a feature and of a currency. */
export async function governance(send: Send): Promise<void> {
	const customer = "-beta/customers/acme";
	await send("PUT", "-beta/entity-types", {
		types: [
			{ id: "group", displayName: "Group", description: "Groups of people", attributionKeys: ["group"] },
			{ id: "person", displayName: "Person", description: null, attributionKeys: ["person"] },
		],
	});
	await send("GET", "-beta/entity-types?limit=1");
	await send("PUT", `${customer}/entities`, {
		entities: [
			{ id: "research", entityTypeId: "group", displayName: "Research", metadata: { floor: "2" } },
			{ id: "ada", entityTypeId: "person", displayName: null },
			{ id: "spare", entityTypeId: "group" },
		],
	});
	await send("POST", `${customer}/entities/archive`, { ids: ["spare"] });
	await send("GET", `${customer}/entities/spare`);
	await send("GET", `${customer}/entities?includeArchived=true&limit=2`);
	await send("POST", `${customer}/entities/unarchive`, { ids: ["spare"] });
	await send("PUT", `${customer}/assignments`, {
		assignments: [
			{ entityId: "research", featureId: "width", parentId: null, scopeEntityIds: [], usageLimit: 100, cadence: "P1M" },
			{ entityId: "research", currencyId: "gold", usageLimit: null, cadence: "P1D" },
			{ entityId: "ada", featureId: "width", parentId: "research", usageLimit: 5.5, cadence: "P1W" },
			{ entityId: "ada", featureId: "width", scopeEntityIds: ["spare"], usageLimit: 5, cadence: "P1W" },
		],
	});
	for (const amount of [10, 20])
		await send("POST", "/customers/acme/budget-requests", {
			...{ entityId: "research", featureId: "width", amount, reason: "A trial", duration: "PERIOD" },
		});
	await send("GET", `${customer}/assignments?featureId=width&limit=2`);
	await send("GET", `${customer}/governance?featureIds=width&currencyIds=gold&limit=3`);
	await send("GET", `${customer}/governance?currencyIds=gold`);
	for (const asked of [
		"featureId=width&dimensions[person]=ada&dimensions[group]=spare",
		"currencyId=gold&dimensions[group]=research",
	])
		await send("GET", `${customer}/entitlements/check?resourceId=site-1&${asked}`);
}
