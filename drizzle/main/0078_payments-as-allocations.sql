DROP TABLE `invoice_payments`;--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_customer_balance_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`currency` text NOT NULL,
	`sequence` integer NOT NULL,
	`kind` text NOT NULL,
	`amount` text NOT NULL,
	`balance` text NOT NULL,
	`invoice_id` text,
	`credit_note_id` text,
	`payment_id` text,
	`reason` text,
	`seal` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`credit_note_id`) REFERENCES `credit_notes`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `allocations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_customer_balance_entries`("id", "environment_id", "customer_id", "currency", "sequence", "kind", "amount", "balance", "invoice_id", "credit_note_id", "payment_id", "reason", "seal", "created_at") SELECT "id", "environment_id", "customer_id", "currency", "sequence", "kind", "amount", "balance", "invoice_id", "credit_note_id", "payment_id", "reason", "seal", "created_at" FROM `customer_balance_entries`;--> statement-breakpoint
DROP TABLE `customer_balance_entries`;--> statement-breakpoint
ALTER TABLE `__new_customer_balance_entries` RENAME TO `customer_balance_entries`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `customer_balance_entries_sequence` ON `customer_balance_entries` (`environment_id`,`customer_id`,`currency`,`sequence`);--> statement-breakpoint
CREATE INDEX `customer_balance_entries_customer` ON `customer_balance_entries` (`environment_id`,`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `customer_balance_entries_currency` ON `customer_balance_entries` (`environment_id`,`customer_id`,`currency`,`id`);--> statement-breakpoint
CREATE INDEX `customer_balance_entries_invoice` ON `customer_balance_entries` (`invoice_id`) WHERE invoice_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `customer_balance_entries_credit_note` ON `customer_balance_entries` (`credit_note_id`) WHERE credit_note_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `customer_balance_entries_payment` ON `customer_balance_entries` (`payment_id`) WHERE payment_id IS NOT NULL;