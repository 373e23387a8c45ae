CREATE TABLE `consolidated_invoices` (
	`invoice_id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`collection_method` text NOT NULL,
	`next_due_at` integer,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `consolidated_invoices_due` ON `consolidated_invoices` (`environment_id`,`next_due_at`) WHERE next_due_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `invoice_subscriptions` (
	`invoice_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`environment_id` text NOT NULL,
	`subscription_ref_id` text NOT NULL,
	`tax_percentage` text,
	PRIMARY KEY(`invoice_id`, `subscription_id`),
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `invoice_subscriptions_subscription` ON `invoice_subscriptions` (`subscription_id`,`invoice_id`);--> statement-breakpoint
ALTER TABLE `customers` ADD `invoice_grouping` text;