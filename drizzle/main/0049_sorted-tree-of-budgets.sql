CREATE TABLE `budget_tree` (
	`assignment_id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`capability_id` text NOT NULL,
	`entity_id` text NOT NULL,
	`entity_ref` text NOT NULL,
	`scope_size` integer NOT NULL,
	`usage_limit` real,
	`current_usage` real NOT NULL,
	`utilization` real,
	`due_at` integer,
	FOREIGN KEY (`assignment_id`) REFERENCES `budget_assignments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `budget_tree_created` ON `budget_tree` (`customer_id`,`capability_id`,`assignment_id`);
--> statement-breakpoint
CREATE INDEX `budget_tree_utilization` ON `budget_tree` (`customer_id`,`capability_id`,`utilization`,`assignment_id`);
--> statement-breakpoint
CREATE INDEX `budget_tree_usage` ON `budget_tree` (`customer_id`,`capability_id`,`current_usage`,`assignment_id`);
--> statement-breakpoint
CREATE INDEX `budget_tree_limit` ON `budget_tree` (`customer_id`,`capability_id`,`usage_limit`,`assignment_id`);
--> statement-breakpoint
CREATE INDEX `budget_tree_scope` ON `budget_tree` (`customer_id`,`capability_id`,`scope_size`,`assignment_id`);
--> statement-breakpoint
CREATE INDEX `budget_tree_entity` ON `budget_tree` (`customer_id`,`capability_id`,`entity_ref`,`assignment_id`);
--> statement-breakpoint
CREATE INDEX `budget_tree_due` ON `budget_tree` (`environment_id`,`due_at`);
--> statement-breakpoint
CREATE TABLE `budget_tree_cursor` (
	`id` integer PRIMARY KEY NOT NULL,
	`followed_to` integer NOT NULL
);
--> statement-breakpoint
-- The job that follows the entries calculates the usage of these rows.
INSERT INTO budget_tree (assignment_id, environment_id, customer_id, capability_id, entity_id, entity_ref, scope_size, usage_limit, current_usage, utilization)
SELECT a.id, a.environment_id, a.customer_id, n.capability_id, e.id, e.ref_id,
	iif(a.scope = '', 0, 1 + length(a.scope) - length(replace(a.scope, ',', ''))), cast(a.usage_limit AS real), 0,
	iif(a.usage_limit IS NULL, NULL, iif(cast(a.usage_limit AS real) = 0, 1, 0))
FROM budget_assignments a JOIN budget_nodes n ON n.id = a.node_id JOIN entities e ON e.id = n.entity_id;
--> statement-breakpoint
-- The job that follows the entries calculates the usage of these rows.
INSERT INTO budget_tree (assignment_id, environment_id, customer_id, capability_id, entity_id, entity_ref, scope_size, usage_limit, current_usage, utilization)
SELECT a.id, a.environment_id, a.customer_id, n.capability_id, e.id, e.ref_id,
	iif(a.scope = '', 0, 1 + length(a.scope) - length(replace(a.scope, ',', ''))), cast(a.usage_limit AS real), 0,
	iif(a.usage_limit IS NULL, NULL, iif(cast(a.usage_limit AS real) = 0, 1, 0))
FROM budget_assignments a JOIN budget_nodes n ON n.id = a.node_id JOIN entities e ON e.id = n.entity_id;