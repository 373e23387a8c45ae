import { putAssignments } from "../areas/governance/operations.assignments";
import { putEntities } from "../areas/governance/operations.entities";
import { putEntityTypes } from "../areas/governance/operations.entity-types";
import type { Work } from "../kernel/work";

/** A team of Acme with two agents, and their budgets of credits. */
export function seedBudgets(work: Work): void {
	putEntityTypes(work, {
		types: [
			{ id: "team", displayName: "Team", attributionKeys: ["teamId"] },
			{ id: "agent", displayName: "Agent", attributionKeys: ["agentId"] },
		],
	});
	putEntities(work, "customer-acme", {
		entities: [
			{ id: "research", entityTypeId: "team", displayName: "Research" },
			{ id: "drafter", entityTypeId: "agent", displayName: "Drafter" },
			{ id: "reviewer", entityTypeId: "agent", displayName: "Reviewer" },
		],
	});
	const credits = { currencyId: "currency-ai-credits", cadence: "P1M" };
	putAssignments(work, "customer-acme", {
		assignments: [
			{ entityId: "research", usageLimit: 500, ...credits },
			{ entityId: "drafter", parentId: "research", usageLimit: 300, ...credits },
			{ entityId: "reviewer", parentId: "research", usageLimit: null, ...credits },
		],
	});
}
