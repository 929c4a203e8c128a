// An engine's side of damspec's line protocol: each question is a line, each answer is a line.
//
//     mcs -out:adapter.exe Adapter.cs Position.cs
//     damspec check english --lines -- mono adapter.exe
//
// With .NET, put both files in a project made with `dotnet new console`, in the place of its Program.cs, and check
// `dotnet run -v q --project FOLDER`. An engine with a Main of its own wants -main:DamspecAdapter.Adapter, or
// <StartupObject> in the project.
//
// To fill in: Name, Ruleset and Start below, and LegalMoves(). The rest can stay as it is.
using System;
using System.Collections.Generic;
using System.Linq;

namespace DamspecAdapter
{
    public sealed class Move
    {
        public readonly string Text;
        public readonly Position After;

        /// <summary>
        /// `text` has all the squares on the move's way: 9-14, or 9x18x27. Then it is the other side's turn, unless a
        /// jump has to be followed by another.
        /// </summary>
        public Move(string text, Position after)
        {
            Text = text;
            After = after;
        }

        /// <summary>
        /// A move of which the engine only knows where it begins and ends: what left the board was captured.
        /// </summary>
        public static Move Between(int from, int to, Position before, Position after)
        {
            var captured = before.On.Keys.Where(square => square != from && !after.On.ContainsKey(square)).ToList();
            return new Move(captured.Any() ? $"{from}x{to}({string.Join(",", captured)})" : $"{from}-{to}", after);
        }
    }

    public static class Adapter
    {
        const string Name = "my-engine 1.0";

        /// <summary>The rulesets it plays, separated by commas; `damspec rulesets` lists them.</summary>
        const string Ruleset = "english";

        /// <summary>Numbered as the engine does; --rotate and --numbering translate it.</summary>
        const string Start = "B:W21-32:B1-12";

        /// <summary>True if it lists single jumps, one after another, and not whole captures.</summary>
        static readonly bool Hops = false;

        /// <summary>
        /// TO FILL IN: every legal move of the side position.Turn. With Hops, `hops` are the jumps already made from
        /// the position in this turn, as they were listed; else there are none.
        /// </summary>
        static IEnumerable<Move> LegalMoves(string ruleset, Position position, string[] hops)
        {
            return null; // not filled in yet
        }

        static string List(string ruleset, string fen, string[] hops)
        {
            var legal = LegalMoves(ruleset, Position.Read(fen), hops);
            if (legal == null)
                return "unsupported LegalMoves() in Adapter.cs is not filled in yet";
            return "moves" + string.Concat(legal.Select(move => $" {move.Text}>{move.After.Write()}"));
        }

        static string Answer(string[] words)
        {
            switch (words[0])
            {
                case "hello":
                    return $"hello {Name} rulesets={Ruleset} questions=start,moves,play{(Hops ? ",steps" : "")}";
                case "start":
                    return Start;
                case "moves":
                    return List(words[1], words[2], words.Skip(3).ToArray());
                default:
                    return "unsupported " + words[0];
            }
        }

        public static void Main()
        {
            for (string line; (line = Console.ReadLine()) != null && line != "quit";)
            {
                try
                {
                    Console.WriteLine(Answer(line.Split(' ')));
                }
                catch (FormatException error)
                {
                    Console.WriteLine("error " + error.Message);
                }
            }
        }
    }
}
