CREATE TABLE `taxes` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`display_name` text NOT NULL,
	`percentage` text NOT NULL,
	`is_inclusive` integer NOT NULL,
	`country` text,
	`code` text,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `taxes_ref` ON `taxes` (`environment_id`,`ref_id`);--> statement-breakpoint
CREATE INDEX `taxes_page` ON `taxes` (`environment_id`,`id`);--> statement-breakpoint
ALTER TABLE `environments` ADD `taxes` text;--> statement-breakpoint
ALTER TABLE `environments` ADD `tax_rounding` text;--> statement-breakpoint
ALTER TABLE `customers` ADD `taxes` text;--> statement-breakpoint
ALTER TABLE `credit_note_lines` ADD `taxes` text;--> statement-breakpoint
ALTER TABLE `invoice_lines` ADD `taxes` text;--> statement-breakpoint
ALTER TABLE `charges` ADD `taxes` text;--> statement-breakpoint
ALTER TABLE `package_versions` ADD `taxes` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `taxes` text;--> statement-breakpoint
ALTER TABLE `subscription_unspent_minimums` ADD `taxes` text;