-- The job that follows the entries calculates the usage of these rows.
INSERT INTO budget_tree (assignment_id, environment_id, customer_id, capability_id, entity_id, entity_ref, scope_size, usage_limit, current_usage, utilization)
SELECT a.id, a.environment_id, a.customer_id, n.capability_id, e.id, e.ref_id,
	iif(a.scope = '', 0, 1 + length(a.scope) - length(replace(a.scope, ',', ''))), cast(a.usage_limit AS real), 0,
	iif(a.usage_limit IS NULL, NULL, iif(cast(a.usage_limit AS real) = 0, 1, 0))
FROM budget_assignments a JOIN budget_nodes n ON n.id = a.node_id JOIN entities e ON e.id = n.entity_id;
