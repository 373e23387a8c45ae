CREATE TABLE `invoice_payments` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`invoice_id` text NOT NULL,
	`kind` text NOT NULL,
	`amount` text NOT NULL,
	`balance_part` text NOT NULL,
	`method` text NOT NULL,
	`reference` text,
	`note` text,
	`paid_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `invoice_payments_invoice` ON `invoice_payments` (`environment_id`,`invoice_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_payments_reference` ON `invoice_payments` (`environment_id`,`invoice_id`,`kind`,`reference`) WHERE reference IS NOT NULL;--> statement-breakpoint
ALTER TABLE `customer_balance_entries` ADD `payment_id` text REFERENCES invoice_payments(id);--> statement-breakpoint
ALTER TABLE `customer_balance_entries` ADD `reason` text;--> statement-breakpoint
CREATE INDEX `customer_balance_entries_customer` ON `customer_balance_entries` (`environment_id`,`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `customer_balance_entries_currency` ON `customer_balance_entries` (`environment_id`,`customer_id`,`currency`,`id`);--> statement-breakpoint
CREATE INDEX `customer_balance_entries_invoice` ON `customer_balance_entries` (`invoice_id`) WHERE invoice_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `customer_balance_entries_credit_note` ON `customer_balance_entries` (`credit_note_id`) WHERE credit_note_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `customer_balance_entries_payment` ON `customer_balance_entries` (`payment_id`) WHERE payment_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `invoices` ADD `amount_paid` text DEFAULT '0' NOT NULL;