CREATE TABLE `allocations` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`receipt_id` text NOT NULL,
	`invoice_id` text,
	`kind` text NOT NULL,
	`amount` text NOT NULL,
	`balance_part` text NOT NULL,
	`reverses_id` text,
	`reason` text,
	`seal` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`receipt_id`) REFERENCES `receipts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `allocations_invoice` ON `allocations` (`environment_id`,`invoice_id`,`id`);--> statement-breakpoint
CREATE INDEX `allocations_receipt` ON `allocations` (`receipt_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `allocations_reversed` ON `allocations` (`reverses_id`) WHERE reverses_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `receipt_refunds` (
	`environment_id` text NOT NULL,
	`refund_id` text NOT NULL,
	`receipt_id` text NOT NULL,
	`amount` text NOT NULL,
	`unallocated_part` text NOT NULL,
	PRIMARY KEY(`refund_id`, `receipt_id`),
	FOREIGN KEY (`refund_id`) REFERENCES `receipts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`receipt_id`) REFERENCES `receipts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `receipt_refunds_receipt` ON `receipt_refunds` (`receipt_id`,`refund_id`);--> statement-breakpoint
CREATE TABLE `receipts` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`number_count` integer NOT NULL,
	`kind` text NOT NULL,
	`currency` text NOT NULL,
	`reason` text,
	`amount` text NOT NULL,
	`unallocated` text NOT NULL,
	`refunded` text NOT NULL,
	`method` text NOT NULL,
	`reference` text,
	`reference_scope` text NOT NULL,
	`note` text,
	`received_at` integer NOT NULL,
	`seal` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `receipts_counted` ON `receipts` (`environment_id`,`legal_entity_id`,`number_count`);--> statement-breakpoint
CREATE UNIQUE INDEX `receipts_reference` ON `receipts` (`environment_id`,`reference_scope`,`kind`,`reference`) WHERE reference IS NOT NULL;--> statement-breakpoint
CREATE INDEX `receipts_environment` ON `receipts` (`environment_id`,`id`);--> statement-breakpoint
CREATE INDEX `receipts_customer` ON `receipts` (`environment_id`,`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `receipts_unallocated` ON `receipts` (`environment_id`,`id`) WHERE unallocated <> '0';