CREATE TABLE `customer_parents` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`parent_id` text NOT NULL,
	`starts_at` integer,
	`ends_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `customer_parents_customer` ON `customer_parents` (`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `customer_parents_parent` ON `customer_parents` (`parent_id`,`id`);--> statement-breakpoint
ALTER TABLE `customers` ADD `parent_customer_id` text;--> statement-breakpoint
ALTER TABLE `customers` ADD `bills_to` text;--> statement-breakpoint
CREATE INDEX `customers_parent` ON `customers` (`parent_customer_id`,`id`) WHERE parent_customer_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `credit_note_lines` ADD `customer_ref_id` text;--> statement-breakpoint
ALTER TABLE `credit_note_lines` ADD `subscription_ref_id` text;--> statement-breakpoint
ALTER TABLE `invoice_lines` ADD `customer_ref_id` text;--> statement-breakpoint
ALTER TABLE `invoice_lines` ADD `subscription_ref_id` text;