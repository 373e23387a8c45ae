ALTER TABLE `dunning_cases` ADD `retry_buckets` text;--> statement-breakpoint
ALTER TABLE `dunning_cases` ADD `attempt_id` text;--> statement-breakpoint
ALTER TABLE `dunning_cases` ADD `attempt_phase` text;--> statement-breakpoint
ALTER TABLE `dunning_cases` ADD `waiting_for` text;--> statement-breakpoint
ALTER TABLE `dunning_cases` ADD `mail_kind` text;--> statement-breakpoint
ALTER TABLE `dunning_mails` ADD `invoice_ids` text;--> statement-breakpoint
ALTER TABLE `dunning_policies` ADD `retries` text;--> statement-breakpoint
CREATE INDEX `attempts_method` ON `attempts` (`environment_id`,`method_id`,`state`,`id`);