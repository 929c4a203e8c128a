using System;
using System.Collections.Generic;
using System.Linq;

namespace DamspecAdapter
{
    /// <summary>A position of draughts as text, as damspec writes it: B:W21-32:BK5,9 is Black to move.</summary>
    public sealed class Position
    {
        /// <summary>'W' or 'B'.</summary>
        public char Turn;

        /// <summary>What stands on a square, from 1: 'w' 'b' a man, 'W' 'B' a king.</summary>
        public readonly SortedDictionary<int, char> On = new SortedDictionary<int, char>();

        /// <summary>Read a position; throws FormatException if the text is invalid.</summary>
        public static Position Read(string text)
        {
            var parts = text.Split(':');
            if (parts[0] != "W" && parts[0] != "B")
                throw new FormatException("no position: " + text);
            var found = new Position { Turn = parts[0][0] };
            foreach (var part in parts.Skip(1).TakeWhile(part => part.StartsWith("W") || part.StartsWith("B")))
                foreach (var piece in part.Substring(1).Split(',').Where(piece => piece != ""))
                {
                    var ends = piece.TrimStart('K').Split('-').Select(int.Parse).ToArray();
                    for (var square = ends.First(); square <= ends.Last(); square++)
                        found.On[square] = piece[0] == 'K' ? part[0] : char.ToLowerInvariant(part[0]);
                }
            return found;
        }

        /// <summary>A copy that can be changed.</summary>
        public Position Copy()
        {
            return Read(Write());
        }

        /// <summary>The position as text.</summary>
        public string Write()
        {
            return $"{Turn}:W{Pieces('W')}:B{Pieces('B')}";
        }

        string Pieces(char side)
        {
            var pieces = On.Where(each => char.ToUpperInvariant(each.Value) == side);
            return string.Join(",", pieces.Select(each => (each.Value == side ? "K" : "") + each.Key));
        }
    }
}
