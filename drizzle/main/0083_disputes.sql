CREATE TABLE `disputes` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`receipt_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`state` text NOT NULL,
	`amount` text NOT NULL,
	`reason` text,
	`reference` text,
	`note` text,
	`opened_at` integer NOT NULL,
	`evidence_due_at` integer,
	`ended_at` integer,
	`return_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`receipt_id`) REFERENCES `receipts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`return_id`) REFERENCES `receipts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `disputes_reference` ON `disputes` (`receipt_id`,`reference`) WHERE reference IS NOT NULL;--> statement-breakpoint
CREATE INDEX `disputes_environment` ON `disputes` (`environment_id`,`id`);--> statement-breakpoint
CREATE INDEX `disputes_state` ON `disputes` (`environment_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `disputes_customer` ON `disputes` (`environment_id`,`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `disputes_receipt` ON `disputes` (`receipt_id`,`id`);