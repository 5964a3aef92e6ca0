//! What a person sees and types, shared by all commands.

pub mod controls;
pub mod exit;
pub mod json;
pub mod message;
pub mod modes;
pub mod names;
pub mod personality;
pub mod progress;
