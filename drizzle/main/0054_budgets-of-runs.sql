DROP INDEX `reached_alerts_once`;--> statement-breakpoint
ALTER TABLE `reached_alerts` ADD `budget_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `reached_alerts_once` ON `reached_alerts` (`alert_id`,`customer_id`,`resource_ref`,`budget_id`,`period_start`,`type`,`threshold`);--> statement-breakpoint
DROP INDEX `usage_alerts_once`;--> statement-breakpoint
ALTER TABLE `usage_alerts` ADD `entity_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `usage_alerts_of_entity` ON `usage_alerts` (`entity_id`,`id`) WHERE entity_id <> '';--> statement-breakpoint
CREATE UNIQUE INDEX `usage_alerts_once` ON `usage_alerts` (`environment_id`,`customer_id`,`feature_id`,`currency_id`,`entity_id`,`type`,`threshold`);--> statement-breakpoint
ALTER TABLE `budget_assignments` ADD `has_soft_limit` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `budget_counters` ADD `exceeded_at` integer;--> statement-breakpoint
ALTER TABLE `entities` ADD `expires_at` integer;--> statement-breakpoint
ALTER TABLE `entities` ADD `next_due_at` integer;--> statement-breakpoint
CREATE INDEX `entities_due` ON `entities` (`environment_id`,`next_due_at`) WHERE next_due_at IS NOT NULL;