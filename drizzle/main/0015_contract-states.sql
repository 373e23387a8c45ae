ALTER TABLE `contracts` ADD `amending_since` integer;--> statement-breakpoint
ALTER TABLE `contracts` ADD `note` text;--> statement-breakpoint
ALTER TABLE `contracts` ADD `archived_at` integer;