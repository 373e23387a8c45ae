CREATE TABLE `contract_amendments` (
	`contract_id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`items` text NOT NULL,
	`note` text,
	`activation_start_at` integer,
	`activation_end_at` integer,
	`includes_current_invoice` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`contract_id`) REFERENCES `contracts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `credit_notes_contract` ON `credit_notes` (`environment_id`,`contract_id`,`id`);