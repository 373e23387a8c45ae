CREATE TABLE `contract_billed_cycles` (
	`item_id` text NOT NULL,
	`cycle_start` integer NOT NULL,
	`cycle_end` integer NOT NULL,
	`environment_id` text NOT NULL,
	`contract_id` text NOT NULL,
	`invoice_id` text,
	`billed` text NOT NULL,
	`quantity` text,
	`events` integer,
	`terms` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`item_id`, `cycle_start`),
	FOREIGN KEY (`contract_id`) REFERENCES `contracts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `contract_billed_cycles_contract` ON `contract_billed_cycles` (`contract_id`,`cycle_start`);--> statement-breakpoint
CREATE INDEX `contract_billed_cycles_invoice` ON `contract_billed_cycles` (`invoice_id`);--> statement-breakpoint
ALTER TABLE `contract_items` ADD `prorate_cut_cycles` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `contract_items` ADD `cycles_from` integer;--> statement-breakpoint
ALTER TABLE `contract_items` ADD `billed_until` integer;--> statement-breakpoint
ALTER TABLE `contract_items` ADD `billed` text;--> statement-breakpoint
ALTER TABLE `contract_items` ADD `usage_events` integer;--> statement-breakpoint
ALTER TABLE `contract_items` ADD `usage_meter_id` text;--> statement-breakpoint
ALTER TABLE `contracts` ADD `published_at` integer;--> statement-breakpoint
ALTER TABLE `contracts` ADD `next_due_at` integer;--> statement-breakpoint
ALTER TABLE `contracts` ADD `problem` text;--> statement-breakpoint
CREATE INDEX `contracts_due` ON `contracts` (`environment_id`,`next_due_at`);