CREATE TABLE `feature_groups` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`display_name` text NOT NULL,
	`description` text,
	`feature_ids` text NOT NULL,
	`metadata` text NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `feature_groups_ref` ON `feature_groups` (`environment_id`,`ref_id`);--> statement-breakpoint
CREATE INDEX `feature_groups_page` ON `feature_groups` (`environment_id`,`id`);--> statement-breakpoint
ALTER TABLE `promotional_entitlements` ADD `feature_group_ids` text;