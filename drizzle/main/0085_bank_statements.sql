CREATE TABLE `bank_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`iban` text NOT NULL,
	`fee_tolerance` text DEFAULT '[]' NOT NULL,
	`csv_mapping` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`legal_entity_id`) REFERENCES `legal_entities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bank_accounts_iban` ON `bank_accounts` (`environment_id`,`iban`);--> statement-breakpoint
CREATE INDEX `bank_accounts_environment` ON `bank_accounts` (`environment_id`,`id`);--> statement-breakpoint
CREATE TABLE `bank_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`account_id` text NOT NULL,
	`statement_id` text NOT NULL,
	`fingerprint` text NOT NULL,
	`amount` text NOT NULL,
	`currency` text NOT NULL,
	`booked_on` text NOT NULL,
	`value_on` text,
	`is_reversal` integer NOT NULL,
	`bank_reference` text,
	`end_to_end_id` text,
	`mandate_id` text,
	`creditor_reference` text,
	`return_code` text,
	`party_name` text,
	`party_iban` text,
	`text` text NOT NULL,
	`state` text NOT NULL,
	`proposals` text NOT NULL,
	`customer_id` text,
	`receipt_id` text,
	`is_automatic` integer DEFAULT false NOT NULL,
	`decided_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `bank_accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`statement_id`) REFERENCES `bank_statements`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`receipt_id`) REFERENCES `receipts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bank_entries_fingerprint` ON `bank_entries` (`account_id`,`fingerprint`);--> statement-breakpoint
CREATE INDEX `bank_entries_environment` ON `bank_entries` (`environment_id`,`id`);--> statement-breakpoint
CREATE INDEX `bank_entries_state` ON `bank_entries` (`environment_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `bank_entries_statement` ON `bank_entries` (`statement_id`,`id`);--> statement-breakpoint
CREATE INDEX `bank_entries_account` ON `bank_entries` (`account_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `bank_entries_customer` ON `bank_entries` (`environment_id`,`customer_id`,`id`) WHERE customer_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `bank_entries_receipt` ON `bank_entries` (`receipt_id`) WHERE receipt_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `bank_import_parts` (
	`environment_id` text NOT NULL,
	`import_id` text NOT NULL,
	`position` integer NOT NULL,
	`items` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`import_id`, `position`)
);
--> statement-breakpoint
CREATE INDEX `bank_import_parts_created` ON `bank_import_parts` (`created_at`);--> statement-breakpoint
CREATE TABLE `bank_imports` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`task_id` text NOT NULL,
	`format` text NOT NULL,
	`state` text NOT NULL,
	`statements_count` integer NOT NULL,
	`entries_count` integer NOT NULL,
	`known_count` integer DEFAULT 0 NOT NULL,
	`outgoing_count` integer DEFAULT 0 NOT NULL,
	`recorded_count` integer DEFAULT 0 NOT NULL,
	`proposed_count` integer DEFAULT 0 NOT NULL,
	`unmatched_count` integer DEFAULT 0 NOT NULL,
	`current` text,
	`created_at` integer NOT NULL,
	`ended_at` integer
);
--> statement-breakpoint
CREATE INDEX `bank_imports_environment` ON `bank_imports` (`environment_id`,`id`);--> statement-breakpoint
CREATE TABLE `bank_payers` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`iban` text NOT NULL,
	`customer_id` text NOT NULL,
	`entry_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bank_payers_iban` ON `bank_payers` (`environment_id`,`iban`);--> statement-breakpoint
CREATE INDEX `bank_payers_customer` ON `bank_payers` (`customer_id`,`id`);--> statement-breakpoint
CREATE TABLE `bank_statements` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`account_id` text NOT NULL,
	`import_id` text NOT NULL,
	`number` text,
	`sequence` integer,
	`year` integer NOT NULL,
	`currency` text,
	`opening_balance` text,
	`closing_balance` text,
	`entries_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `bank_accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `bank_statements_environment` ON `bank_statements` (`environment_id`,`id`);--> statement-breakpoint
CREATE INDEX `bank_statements_account` ON `bank_statements` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `bank_statements_sequence` ON `bank_statements` (`account_id`,`year`,`sequence`);